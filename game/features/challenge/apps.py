"""What challenges add to pages: a link at the end of a match, and the challenger's pace."""

from game.feature import Feature, hook


class ChallengeConfig(Feature):
    name = "game.features.challenge"
    urls = "game.features.challenge.urls"
    part = "game.features.challenge.parts"
    placing = hook("views.placing")
    playing = hook("views.playing")
    ended = hook("views.ended")
    public_replay = hook("views.same_fleet")
    acted = hook("views.marked")
    on_saved = hook("views.keep_progress")
    outcome = hook("words.outcome")

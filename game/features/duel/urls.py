"""The addresses of matches at two devices, and of invitations to them."""

from django.urls import path

from game.features.duel import invitation, pairs, views
from game.views.site import in_own_language

urlpatterns = [
    path("new/friend/<slug:preset>/", invitation.new_invitation, name="new_invitation"),
    path("seat/<str:token>/", invitation.place_seat, name="place_seat"),
    path("duel/<slug:duel_id>/", views.duel, name="duel"),
    path("invite/<slug:duel_id>/", invitation.invite, name="invite"),
    path("pairs/new/", pairs.new_pairs, name="new_pairs"),
    path("pairs/<slug:pairs_id>/", pairs.pairs, name="pairs"),
    path("pair/<slug:pairs_id>/", pairs.pair, name="pair"),
    path("keep/<str:token>/", invitation.keep_seat, name="keep"),
]
without_language = [
    path("invite/<slug:duel_id>/", invitation.any_invite, name="any_invite"),
    path("pair/<slug:pairs_id>/", in_own_language, name="any_pair"),
]

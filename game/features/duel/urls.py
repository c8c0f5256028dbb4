"""The addresses of matches at two devices, and of invitations to them."""

from django.urls import path

from game.features.duel import claims, invitation, views

urlpatterns = [
    path("new/friend/<slug:preset>/", claims.new_invitation, name="new_invitation"),
    path("duel/<str:token>/", views.duel, name="duel"),
    path("invite/<str:token>/", invitation.invite, name="invite"),
    path("keep/<str:token>/", invitation.keep_seat, name="keep"),
]
bare = [path("invite/<str:token>/", invitation.any_invite, name="any_invite")]

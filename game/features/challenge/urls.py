"""The addresses of challenges."""

from django.urls import path

from game.features.challenge import views

urlpatterns = [
    path("challenge/<str:token>/", views.challenge, name="challenge"),
    path("challenge/<str:token>/send/", views.send, name="send"),
]
without_language = [path("challenge/<str:token>/", views.any_challenge, name="any_challenge")]

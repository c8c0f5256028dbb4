"""The addresses of the logbook."""

from django.urls import path

from game.features.logbook import views

urlpatterns = [
    path("logbook/", views.logbook, name="logbook"),
    path("logbook/bring/<str:token>/", views.bring, name="bring"),
]

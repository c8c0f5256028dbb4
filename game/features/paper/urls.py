"""The addresses of games to print."""

from django.urls import path

from game.features.paper import views

urlpatterns = [
    path("paper/<slug:preset>/", views.paper, name="paper"),
    path("sheet/<str:token>/", views.paper_of, name="paper_of"),
]

"""The addresses of a review, which is computed in steps."""

from django.urls import path

from game.features.review import views

urlpatterns = [
    path("review/<str:token>/", views.review, name="review"),
    path("review/<str:token>/<str:so_far>/", views.review, name="review"),
]

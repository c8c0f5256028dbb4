"""The addresses of the deduction game."""

from django.urls import path

from game.features.deduction import views

urlpatterns = [
    path("deduction/", views.home, name="deduction"),
    path("deduction/daily/", views.daily_match, name="deduction_daily"),
    path("deduction/play/<str:token>/", views.play, name="deduction_play"),
    path("deduction/review/<str:token>/", views.judge, name="deduction_review"),
]

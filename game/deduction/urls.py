"""The addresses of the deduction game under /en/deduction/."""

from django.urls import path

from game.deduction import views

urlpatterns = [
    path("", views.home, name="deduction"),
    path("daily/", views.daily_match, name="deduction_daily"),
    path("play/<str:token>/", views.play, name="deduction_play"),
    path("review/<str:token>/", views.judge, name="deduction_review"),
]

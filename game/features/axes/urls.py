"""The addresses of exercises for a class."""

from django.urls import path, re_path

from game.features.axes import views

_CODE = "(?P<code>[A-Za-z0-9]{5})"

urlpatterns = [
    path("class/", views.exercises, name="class"),
    path("class/new/", views.new_exercise, name="new_exercise"),
    path("class/exercise/", views.exercise, name="exercise"),
    re_path(rf"^class/exercise/{_CODE}/$", views.exercise, name="kept_exercise"),
    re_path(rf"^class/report/{_CODE}/$", views.report, name="report_exercise"),
]
without_language = [
    path("c/", views.begin, name="begin_exercise"),
    re_path(rf"^c/{_CODE}/?$", views.begin, name="begin_kept_exercise"),
]

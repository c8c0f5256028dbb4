"""The address of exercises for a class."""

from django.urls import path

from game.features.axes import views

urlpatterns = [path("class/", views.exercises, name="class")]

"""The address of the hit calculator."""

from django.urls import path

from game.features.calculator import views

urlpatterns = [path("position/", views.position, name="position")]

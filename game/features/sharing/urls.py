"""The addresses of what is shared: a result, its card, and a match for another device."""

from django.urls import path

from game.features.sharing import views

urlpatterns = [
    path("film/<str:token>/card.png", views.card, name="card"),
    path("film/<str:token>/moment/", views.moment, name="moment"),
    path("film/<str:token>/moment.png", views.moment_card, name="moment_card"),
    path("share/<str:token>/", views.share, name="share"),
    path("elsewhere/<str:token>/", views.elsewhere, name="elsewhere"),
]

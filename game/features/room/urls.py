"""The addresses of rooms: the teacher's, those of pupils, and where a code is typed."""

from django.urls import path, re_path

from game.features.room import views
from game.views.site import in_own_language

_ID = "[A-Za-z0-9_-]{12}"

urlpatterns = [
    path("room/new/<slug:preset>/", views.new_room, name="new_room"),
    re_path(rf"^room/(?P<room_id>{_ID})/$", views.room, name="room"),
    re_path(rf"^room/(?P<room_id>{_ID})/class\.csv$", views.table, name="room_table"),
    re_path(rf"^searched/(?P<public>{_ID})/$", views.searched, name="searched"),
    path("join/", views.join, name="join"),
]
without_language = [path("join/", in_own_language, name="any_join")]

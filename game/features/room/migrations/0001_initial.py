import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Guesses",
            fields=[
                ("network", models.CharField(max_length=22, primary_key=True, serialize=False)),
                ("count", models.PositiveSmallIntegerField(default=0)),
                ("ends", models.BigIntegerField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Room",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("public", models.CharField(max_length=16, unique=True)),
                ("code", models.CharField(max_length=6, null=True, unique=True)),
                ("sea", models.TextField()),
                ("network", models.CharField(max_length=22)),
                ("opened", models.BigIntegerField()),
                ("closed", models.BigIntegerField(default=0)),
                ("par", models.PositiveSmallIntegerField(null=True)),
                ("ends", models.BigIntegerField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Pupil",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=22)),
                ("first", models.CharField(default="", max_length=64)),
                ("shots", models.PositiveSmallIntegerField(default=0)),
                ("is_marked", models.BooleanField(default=False)),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pupils",
                        to="room.room",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("room", "key"), name="one_row_a_seat")
                ],
            },
        ),
    ]

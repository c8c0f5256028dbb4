from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Duel",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("state", models.TextField()),
                ("step", models.PositiveIntegerField()),
                ("revision", models.PositiveIntegerField()),
                ("first_seat", models.CharField(max_length=22)),
                ("second_seat", models.CharField(max_length=22)),
                ("first_until", models.BigIntegerField(default=0)),
                ("second_until", models.BigIntegerField(default=0)),
                ("first_shown", models.BooleanField(default=True)),
                ("second_shown", models.BooleanField(default=True)),
                ("first_nudge", models.BigIntegerField(default=0)),
                ("second_nudge", models.BigIntegerField(default=0)),
                ("ends", models.BigIntegerField(db_index=True)),
            ],
        ),
    ]

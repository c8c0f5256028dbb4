from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Exercise",
            fields=[
                ("code", models.CharField(max_length=5, primary_key=True, serialize=False)),
                ("query", models.TextField()),
                ("network", models.CharField(db_index=True, max_length=22)),
                ("ends", models.BigIntegerField(db_index=True)),
                ("reports", models.PositiveIntegerField(default=0)),
            ],
        ),
    ]

"""What every page's template knows."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language


def site(request: HttpRequest) -> dict[str, Any]:
    """The language, and the address of this page; views that answer a POST set their own."""
    return {"language": get_language() or "en", "address": request.get_full_path()}

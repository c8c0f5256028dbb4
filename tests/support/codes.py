"""QR codes as a reader finds them."""

import io
import re

import zxingcpp
from PIL import Image
from resvg_py import svg_to_bytes

ONLY_QR = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
"""A reader of all kinds of codes sometimes finds bars within the squares of a QR code."""


def scanned(html: str, module: int = 3) -> str:
    """What a reader of QR codes finds in the code of a page, or in an svg, at that size."""
    svg = re.findall("<svg.*?</svg>", html.split('class="code"')[-1], re.DOTALL)[0]
    size = module * int(re.findall(r'viewBox="0 0 (\d+)', svg)[0])
    drawn = svg.replace("<svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}"', 1)
    image = Image.open(io.BytesIO(svg_to_bytes(svg_string=drawn)))
    [found] = zxingcpp.read_barcodes(image, formats=ONLY_QR)
    return found.text

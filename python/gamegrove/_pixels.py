"""Drawings as arrays of pixels, for ``render_mode="rgb_array"``.

This reads the elements that the drawings of ``State.svg`` are made of, with their light colours: rectangles,
circles, lines, polygons, paths of ``MLHVCZ``, text, and groups that are moved, scaled or turned. Letters are
those of a fixed font of 5 by 7 dots; signs outside ASCII are left out.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

FINE = 2
"""Every pixel is the mean of so many by so many samples."""

FONT = bytes.fromhex(
    "000000000000005f00000007000700147f147f14242a7f2a12231308646236495620500008070300001c2241000041221c00"
    "2a1c7f1c2a08083e080800807030000808080808000060600020100804023e5149453e00427f400072494949462141494d33"
    "1814127f1027454545393c4a494931412111090736494949364649491e1e0000140000004034000000081422411414141414"
    "0041221408020159090 63e415d594e7c1211127c7f494949363e414141227f4141413e7f494949417f090909013e41415173"
    "7f0808087f00417f41002040413f017f081422417f404040407f021c027f7f0408107f3e4141413e7f090909063e4151215e"
    "7f0919294626494949320301 7f01033f4040403f1f2040201f3f4038403f63140814630304780403615949 4d43007f414141"
    "02040810200041 41417f0402010204404040404000030708002054547840 7f284444383844444428384444287f3854545418"
    "00087e090218a4a49c787f0804047800447d40002040403d007f1028440000417f40007c047804787c08040478 3844444438"
    "fc1824241818242418fc7c08040408485454542404043f44243c4040207c1c2040201c3c4030403c44281028444c9090907c"
    "4464544c4400083641000000770000004136080002010204 02".replace(" ", "")
)
"""Five columns for each sign from the blank on; the lowest bit is the top."""

NAMES = {"white": "#ffffff", "black": "#000000"}


def pixels(svg: str) -> Pixels:
    """The drawing as an array of height by width by 3."""
    root = ET.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox", "0 0 1 1").split())
    shape = (max(round(height), 1), max(round(width), 1))
    canvas = Canvas(shape, Sheet("".join(node.text or "" for node in root.iter() if _tag(node) == "style")))
    canvas.draw(root, np.diag([FINE, FINE, 1.0]))
    fine = canvas.samples.reshape(shape[0], FINE, shape[1], FINE, 3).mean(axis=(1, 3))
    return fine.round().astype(np.uint8)


def text_pixels(text: str) -> Pixels:
    """Lines of text as an array, for states of which there is no drawing."""
    lines = text.splitlines() or [""]
    shape = (14 * len(lines) + 8, 8 * max(map(len, lines)) + 8)
    canvas = Canvas(shape, Sheet(""), fine=1)
    for number, line in enumerate(lines):
        canvas.text(line, 4.0, 14.0 * (number + 1), 1.25, np.zeros(3), "start")
    return canvas.samples.astype(np.uint8)


def fitted(image: Pixels, shape: tuple[int, ...]) -> Pixels:
    """The upper left part of this shape, with white where the image ends: frames of a film are of one size."""
    if image.shape == shape:
        return image
    frame = np.full(shape, 255, np.uint8)
    height, width = min(shape[0], image.shape[0]), min(shape[1], image.shape[1])
    frame[:height, :width] = image[:height, :width]
    return frame


def _tag(node: ET.Element) -> str:
    return node.tag.rpartition("}")[2]


class Sheet:
    """The style sheet of a drawing: its variables and its classes, in their light form."""

    def __init__(self, text: str) -> None:
        light = re.sub(r"@media[^{]*\{[^{}]*\{[^{}]*\}\s*\}", "", text)
        self.variables = dict(re.findall(r"(--[\w-]+):([^;}]*)", light))
        self.classes = {
            name: dict(pair.split(":", 1) for pair in body.split(";") if ":" in pair)
            for name, body in re.findall(r"\.(\w+)\{([^}]*)\}", light)
        }

    def get(self, node: ET.Element, name: str, otherwise: str = "none") -> str:
        """An attribute, or what the class of the element says."""
        return node.get(name) or self.classes.get(node.get("class", ""), {}).get(name, otherwise)

    def colour(self, text: str) -> np.ndarray[Any, Any] | None:
        """Red, green and blue; None where nothing is painted."""
        found = re.fullmatch(r"var\((--[\w-]+)(?:,([^)]*))?\)", text)
        if found:
            return self.colour(self.variables.get(found[1], found[2] or "none"))
        text = NAMES.get(text, text)
        if re.fullmatch("#[0-9a-f]{3}", text):
            text = "#" + "".join(2 * sign for sign in text[1:])
        if not re.fullmatch("#[0-9a-f]{6}", text):
            return None
        return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], float)


class Canvas:
    """Samples that shapes are painted on."""

    def __init__(self, shape: tuple[int, int], sheet: Sheet, fine: int = FINE) -> None:
        self.samples = np.full((shape[0] * fine, shape[1] * fine, 3), 255.0)
        self.sheet = sheet

    def draw(self, node: ET.Element, place: np.ndarray[Any, Any]) -> None:
        """Paints an element and what is in it; ``place`` takes its coordinates to samples."""
        place = place @ transform(node.get("transform", ""))
        tag = _tag(node)
        if tag == "text":
            size = float(self.sheet.get(node, "font-size", "13"))
            colour = self.sheet.colour(self.sheet.get(node, "fill", "#000000"))
            x, y, _ = place @ (float(node.get("x", 0)), float(node.get("y", 0)), 1.0)
            if colour is not None:
                scale = size * math.hypot(place[0, 0], place[1, 0]) / 10
                self.text(node.text or "", x, y, scale, colour, self.sheet.get(node, "text-anchor", "start"))
            return
        lines = outline(tag, node)
        if lines:
            lines = [points @ place[:2, :2].T + place[:2, 2] for points in lines]
            fill = self.sheet.colour(self.sheet.get(node, "fill", "none" if tag == "line" else "#000000"))
            if fill is not None and tag != "line":
                self.fill(lines, fill)
            stroke = self.sheet.colour(self.sheet.get(node, "stroke"))
            if stroke is not None:
                width = float(self.sheet.get(node, "stroke-width", "1"))
                self.stroke(lines, stroke, width * math.hypot(place[0, 0], place[1, 0]))
        for child in node:
            self.draw(child, place)

    def _grid(
        self, points: np.ndarray[Any, Any], room: float
    ) -> tuple[tuple[slice, slice], np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
        """The samples around some points, with their coordinates."""
        left, top = np.maximum(np.floor(points.min(axis=0) - room), 0).astype(int)
        right, bottom = np.ceil(points.max(axis=0) + room).astype(int)
        right, bottom = min(right, self.samples.shape[1]), min(bottom, self.samples.shape[0])
        if left >= right or top >= bottom:
            return None
        x, y = np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5
        return (slice(top, bottom), slice(left, right)), x[None, :], y[:, None]

    def fill(self, lines: list[np.ndarray[Any, Any]], colour: np.ndarray[Any, Any]) -> None:
        """Paints the inside of closed lines."""
        grid = self._grid(np.concatenate(lines), 0)
        if grid is None:
            return
        part, x, y = grid
        winding = np.zeros((y.size, x.size), int)
        for points in lines:
            for (ax, ay), (bx, by) in zip(points, np.roll(points, -1, axis=0)):
                if ay == by:
                    continue
                side = ax + (y - ay) * (bx - ax) / (by - ay) > x
                between = (np.minimum(ay, by) <= y) & (y < np.maximum(ay, by))
                winding += np.where(between & side, 1 if ay < by else -1, 0)
        self.samples[part][winding != 0] = colour

    def stroke(
        self, lines: list[np.ndarray[Any, Any]], colour: np.ndarray[Any, Any], width: float
    ) -> None:
        """Paints along lines."""
        for points in lines:
            for a, b in zip(points[:-1], points[1:]):
                grid = self._grid(np.stack([a, b]), width / 2)
                if grid is None:
                    continue
                part, x, y = grid
                dx, dy = b - a
                length = max(dx * dx + dy * dy, 1e-12)
                along = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / length, 0, 1)
                far = (x - a[0] - along * dx) ** 2 + (y - a[1] - along * dy) ** 2
                self.samples[part][far <= width * width / 4] = colour

    def text(
        self, text: str, x: float, y: float, scale: float, colour: np.ndarray[Any, Any], anchor: str
    ) -> None:
        """Paints letters whose dots have the side ``scale``; they stand on ``y``."""
        wide = 6 * scale * len(text)
        x -= {"middle": wide / 2, "end": wide}.get(anchor, 0)
        for number, sign in enumerate(text):
            at = 5 * (ord(sign) - 32)
            for column, bits in enumerate(FONT[at : at + 5] if 0 <= at < len(FONT) else b""):
                for row in range(8):
                    if bits >> row & 1:
                        left = max(round(x + (6 * number + column) * scale), 0)
                        top = max(round(y + (row - 7) * scale), 0)
                        side = max(round(scale), 1)
                        self.samples[top : top + side, left : left + side] = colour


def transform(text: str) -> np.ndarray[Any, Any]:
    """The matrix of ``translate``, ``scale`` and ``rotate``."""
    matrix = np.eye(3)
    for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", text):
        values = [float(number) for number in re.split(r"[ ,]+", numbers.strip())]
        step = np.eye(3)
        if name == "translate":
            step[:2, 2] = (values + [0.0])[:2]
        elif name == "scale":
            step[0, 0], step[1, 1] = values[0], values[-1]
        elif name == "rotate":
            turn = math.radians(values[0])
            step[:2, :2] = [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
            around = np.array((values[1:] + [0.0, 0.0])[:2])
            step[:2, 2] = around - step[:2, :2] @ around
        matrix = matrix @ step
    return matrix


def outline(tag: str, node: ET.Element) -> list[np.ndarray[Any, Any]]:
    """The lines around a shape; the first point of a closed one is also its last."""

    def number(name: str) -> float:
        return float(node.get(name, 0))

    if tag == "rect":
        x, y, width, height = number("x"), number("y"), number("width"), number("height")
        r = min(number("rx"), width / 2, height / 2)
        middles = [(x + width - r, y + r), (x + width - r, y + height - r), (x + r, y + height - r), (x + r, y + r)]
        points = [
            (cx + r * math.sin(angle), cy - r * math.cos(angle))
            for quarter, (cx, cy) in enumerate(middles)
            for angle in (math.pi / 2 * (quarter + part / 4) for part in (range(5) if r else [0]))
        ]
        return [np.array(points + points[:1])]
    if tag == "circle":
        angles = np.linspace(0, 2 * math.pi, 41)
        r = number("r")
        return [np.stack([number("cx") + r * np.cos(angles), number("cy") + r * np.sin(angles)], axis=1)]
    if tag == "line":
        return [np.array([[number("x1"), number("y1")], [number("x2"), number("y2")]])]
    if tag == "polygon":
        corners = np.array([float(n) for n in re.split(r"[ ,]+", node.get("points", "").strip())])
        corners = corners.reshape(-1, 2)
        return [np.concatenate([corners, corners[:1]])]
    return path(node.get("d", "")) if tag == "path" else []


def path(text: str) -> list[np.ndarray[Any, Any]]:
    """The lines of a path of the commands ``MLHVCZ``; curves become eight pieces."""
    lines: list[list[tuple[float, float]]] = []
    for command, rest in re.findall(r"([MLHVCZ])([^MLHVCZ]*)", text):
        values = [float(n) for n in re.findall(r"-?\d*\.?\d+", rest)]
        if command == "M":
            lines.append([(values[0], values[1])])
            values = values[2:]
        line = lines[-1]
        if command == "Z":
            line.append(line[0])
        elif command == "H":
            line += [(x, line[-1][1]) for x in values]
        elif command == "V":
            line += [(line[-1][0], y) for y in values]
        elif command == "C":
            for at in range(0, len(values), 6):
                p = np.array([line[-1], *zip(values[at : at + 6 : 2], values[at + 1 : at + 6 : 2])])
                for t in np.arange(1, 9) / 8:
                    weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
                    line.append(tuple(weights @ p))
        else:
            line += list(zip(values[::2], values[1::2]))
    return [np.array(line) for line in lines]

# SPDX-License-Identifier: MIT
"""A map of a Dataset of wind, by matplotlib where that is."""
import io

import numpy as np


def draw_map(dataset):
    """PNG bytes: speed in colours, ground in contours, arrows of the wind; None without matplotlib or without a 2-D wind."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    if "wind_speed" not in dataset or dataset["wind_speed"].ndim != 2 or min(dataset["wind_speed"].shape) < 2:
        return None
    speed, ground = dataset["wind_speed"], dataset.get("surface_altitude")
    x, y = np.asarray(dataset["x"]) / 1000, np.asarray(dataset["y"]) / 1000
    ratio = np.ptp(y) / np.ptp(x)
    figure = Figure(figsize=(7.5, min(max(7.5 * 0.85 * ratio, 3.5), 9)), layout="constrained")
    axes = figure.add_subplot(aspect="equal")
    colours = axes.pcolormesh(x, y, speed.values, cmap="viridis", shading="nearest")
    if ground is not None and np.ptp(ground.values) > 1:
        lines = axes.contour(x, y, ground.values, levels=8, colors="white", linewidths=0.7, alpha=0.8)
        axes.clabel(lines, fmt="%.0f m", fontsize=7)
    rows, columns = (np.linspace(0, n - 1, min(n, 18)).round().astype(int) for n in speed.shape)
    turned = np.radians(dataset["wind_from_direction"].values)
    east, north = -speed.values * np.sin(turned), -speed.values * np.cos(turned)
    at = np.ix_(rows, columns)
    axes.quiver(x[columns], y[rows], east[at], north[at], color="black", alpha=0.65, width=0.0022)
    height = speed.attrs.get("height_above_ground", 10)
    figure.colorbar(colours, ax=axes, shrink=0.9, label="wind speed, m/s")
    attributes = dataset.attrs
    axes.set_title(f"Wind {height:g} m above the ground: {attributes.get('u10', float('nan')):g} m/s at 10 m from "
                   f"{attributes.get('direction', float('nan')):g}\N{DEGREE SIGN}, {attributes.get('model', '')} model", fontsize=10)
    axes.set_xlabel("easting, km")
    axes.set_ylabel("northing, km")
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=110)
    return out.getvalue()

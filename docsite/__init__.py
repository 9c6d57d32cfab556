"""The documentation site: `docs/` and reference pages generated from the code, built into static files.

`make site` (or `python -m docsite`) collects the pages, generates the reference, builds `build/site` with
Zensical and checks every link. The site loads nothing from elsewhere and works from the file system.
"""

"""Draws and writes Safelight's test pictures; make.py in the folder above runs it."""

"""The parts of matrix.py: kinds of photos, what they hold and who judges it, and the programs that edit them."""

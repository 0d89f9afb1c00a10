"""What a fleet may ask of a tree's machine."""

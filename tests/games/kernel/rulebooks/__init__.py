"""Small rulebooks on which the kernel is tested."""

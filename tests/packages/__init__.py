"""What a release gives away, installed where nothing else is, and used."""

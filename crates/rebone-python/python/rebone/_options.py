"""placeholder, generated"""

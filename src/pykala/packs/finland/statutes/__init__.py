"""The text of statutes: Akoma Ntoso and the Statute Book's XML as trees of provisions."""

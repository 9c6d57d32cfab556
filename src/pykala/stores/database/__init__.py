"""A library in PostgreSQL alone: records and index in one database, for servers without disks."""

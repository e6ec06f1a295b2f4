"""Moving memories out of a store and into one: backup and restore of a whole database, import and export."""

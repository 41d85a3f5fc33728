-- +goose Up
-- Memories get a name, who said them, what they are about, and what took their place. What was forgotten keeps its row
-- without its text: it says which runs are not read any more.
ALTER TABLE memories ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE memories ADD COLUMN said_by TEXT NOT NULL DEFAULT ''; -- the user who said so or agreed to it; empty: a run noted it
ALTER TABLE memories ADD COLUMN about TEXT NOT NULL DEFAULT ''; -- the subject: of two memories with one subject the newer holds
ALTER TABLE memories ADD COLUMN replaced_by TEXT NOT NULL DEFAULT ''; -- the ID of the memory that took its place
ALTER TABLE memories ADD COLUMN scope TEXT NOT NULL DEFAULT 'user'; -- user: for them alone; household: for everyone of it
ALTER TABLE memories ADD COLUMN edited INTEGER NOT NULL DEFAULT 0; -- when a person changed it; 0: nobody did
ALTER TABLE memories ADD COLUMN forgot_run TEXT NOT NULL DEFAULT ''; -- the run in which it was forgotten
UPDATE memories SET id = 'm' || n;
CREATE UNIQUE INDEX memories_id ON memories (household, id);

ALTER TABLE preferences ADD COLUMN set_by TEXT NOT NULL DEFAULT ''; -- the user who set it; a user_name that is empty: for the whole household
ALTER TABLE preferences ADD COLUMN source TEXT NOT NULL DEFAULT ''; -- the run in which it was set; empty: by hand
UPDATE preferences SET set_by = user_name;

package main

import (
	"rein/cmd/rein/config"
	"rein/people"
	"rein/tool/reach"
)

// newReach makes the one policy for files: the folders that the settings name belong to the household
// of the data, and nobody sees the data itself.
func newReach(settings *config.Config, p place) (*reach.Policy, error) {
	if vault := settings.Notes.Vault; vault != "" && reach.Holds(p.folder, vault) {
		return nil, usagef("the vault %s lies in the data folder %s, which nobody sees: move one of them", vault, p.folder)
	}
	policy, err := reach.New(reach.Options{
		Household: people.Host().Household,
		Root:      settings.Tools.Root,
		Vault:     settings.Notes.Vault, Include: settings.Notes.Include, Exclude: settings.Notes.Exclude,
		Hidden: []string{p.folder},
	})
	if err != nil {
		return nil, usagef("%v", err)
	}
	return policy, nil
}

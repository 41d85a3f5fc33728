package cli

import (
	"rein/app/config"
	"rein/tool/reach"
)

// checkVault refuses a vault in the data folder, which nobody sees.
func checkVault(settings *config.Config, p place) error {
	if vault := settings.Notes.Vault; vault != "" && reach.Holds(p.folder, vault) {
		return usagef("the vault %s lies in the data folder %s, which nobody sees: move one of them", vault, p.folder)
	}
	return nil
}

package app

import (
	"rein/app/config"
	"rein/tool/reach"
)

// CheckVault refuses a vault in the data folder, which nobody sees.
func (s *Setup) CheckVault(settings *config.Config) error {
	p, err := s.Place()
	if err != nil {
		return err
	}
	return checkVault(settings, p)
}

// checkVault refuses a vault in the data folder, which nobody sees.
func checkVault(settings *config.Config, p Place) error {
	if vault := settings.Notes.Vault; vault != "" && reach.Holds(p.Folder, vault) {
		return wrongSetting("the vault %s is inside the data folder %s, which tools cannot see: move one of them", vault, p.Folder)
	}
	return nil
}

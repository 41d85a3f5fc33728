package sandbox

import "path/filepath"

// Keys lists where people keep keys and passwords in their home folder, for Policy.Hidden: a workspace can
// be that folder, or hold it.
func Keys(home string) []string {
	var out []string
	for _, name := range []string{
		".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".cargo/credentials", ".cargo/credentials.toml",
		".password-store", ".bash_history", ".zsh_history", ".config/gcloud", ".config/gh", ".config/git/credentials", ".config/rein",
		".local/share/rein", ".local/share/keyrings", ".mozilla", ".config/google-chrome", ".config/chromium",
	} {
		out = append(out, filepath.Join(home, name))
	}
	return out
}

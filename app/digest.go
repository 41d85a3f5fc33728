package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Digest stands for what an owner takes from the process that starts it and cannot read again later: the
// version of the program, and the variables that settings, keys, commands and connections come from. What
// belongs to one terminal, such as its size, is not part of it.
func (s *Setup) Digest() string { return s.digestOf(Version()) }

func (s *Setup) digestOf(version string) string {
	h := sha256.New()
	file := s.o.Config
	if file != "" {
		if abs, err := filepath.Abs(file); err == nil {
			file = abs
		}
	}
	fmt.Fprintf(h, "%q %q\n", version, file)
	for _, v := range slices.Sorted(slices.Values(s.env)) {
		if name, _, _ := strings.Cut(v, "="); s.decides(name) {
			fmt.Fprintf(h, "%q\n", v)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// decides reports whether runs may go differently with another value of the variable.
func (s *Setup) decides(name string) bool {
	upper := strings.ToUpper(name)
	for _, end := range []string{"_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_URL", "_PROXY"} {
		if strings.HasSuffix(upper, end) {
			return true
		}
	}
	if strings.HasPrefix(name, "REIN_") || slices.Contains([]string{"HOME", "PATH", "TZ", "VIRTUAL_ENV", "XDG_CONFIG_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", ollamaHost}, name) {
		return true
	}
	settings, err := s.Settings()
	if err != nil {
		return false
	}
	for _, m := range settings.Models {
		if m.KeyEnv == name {
			return true
		}
	}
	return slices.Contains(settings.Redact.Env, name)
}

package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/app/config"
)

// What rein init writes is read as it was meant, whatever a provider calls its models, and so is what it proposes in comments.
func TestWritten(t *testing.T) {
	model := config.Model{Kind: config.KindOpenAI, Provider: config.Provider{
		Model: "odd \"name\"\\ [x]\n\x01\x7f = 1", Preset: "vllm", BaseURL: "http://127.0.0.1:8000/v1?a=<b>&c", KeyEnv: "secret:VLLM_API_KEY", PriceIn: -1, PriceOut: -1,
	}}
	for _, name := range []string{"vllm", "my server", "odd\"]"} {
		text := config.Written(name, model)
		for what, text := range map[string]string{"plain": text, "with all that is proposed": regexp.MustCompile(`(?m)^# (\[|\w+ = )`).ReplaceAllString(text, "$1")} {
			file := filepath.Join(t.TempDir(), "rein.toml")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := config.Load(config.Options{File: file, Env: config.Environment{"HOME=/home/ann"}})
			if err != nil {
				t.Errorf("%s, %s: %v\n%s", name, what, err, text)
			}
			if diff := cmp.Diff(model, got.Models[name]); diff != "" || got.Model != name {
				t.Errorf("%s, %s: %s chosen %q", name, what, diff, got.Model)
			}
			if what != "plain" && (got.Notes.Vault == "" || got.Language != "en" || len(got.Tools.Policy.Ask) != 1) {
				t.Error("the proposals are not read")
			}
		}
	}
}

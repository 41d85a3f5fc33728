package openai

import (
	"os"
	"strings"

	"rein"
	"rein/internal/near"
)

// A Server is what is known of a provider or a program that serves models.
type Server struct {
	Name    string
	BaseURL string
	URLEnv  string // the variable with the base URL, where each account has its own
	KeyEnv  string // the variable with the key; empty: none is needed
	API     string
	Quirks  Quirks
	// Model is asked if there is a key and nobody chose a model; empty: only its users know what it has.
	Model string
}

// Presets are the servers that are known by name. Any other compatible one works by its base URL.
var Presets = []Server{
	{
		Name: "openai", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", API: Responses, Model: "gpt-5.4",
	},
	{
		Name: "azure", URLEnv: "AZURE_OPENAI_BASE_URL", KeyEnv: "AZURE_OPENAI_API_KEY", API: Chat,
		Quirks: Quirks{KeyHeader: "api-key"},
	},
	{
		Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1", API: Chat,
		Quirks: Quirks{NoDeveloper: true, OldMaxTokens: true},
	},
	{
		Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1", API: Chat,
		Quirks: Quirks{NoDeveloper: true, OneSystem: true, OldMaxTokens: true},
	},
	{
		Name: "llamacpp", BaseURL: "http://127.0.0.1:8080/v1", API: Chat,
		Quirks: Quirks{NoDeveloper: true, OneSystem: true, OldMaxTokens: true},
	},
	{
		Name: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", API: Chat,
		Quirks: Quirks{NoDeveloper: true, OneSystem: true, OldMaxTokens: true},
	},
	{
		Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY", API: Chat, Model: "openai/gpt-5.4",
		Quirks: Quirks{NoDeveloper: true, OldMaxTokens: true},
	},
	{
		Name: "groq", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY", API: Chat, Model: "openai/gpt-oss-120b",
		Quirks: Quirks{NoDeveloper: true, Schema: ByObject},
	},
	{
		Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", KeyEnv: "DEEPSEEK_API_KEY", API: Chat, Model: "deepseek-v4-flash",
		Quirks: Quirks{NoDeveloper: true, OldMaxTokens: true, NoImages: true, Schema: ByObject},
	},
	{
		Name: "mistral", BaseURL: "https://api.mistral.ai/v1", KeyEnv: "MISTRAL_API_KEY", API: Chat, Model: "mistral-large-latest",
		Quirks: Quirks{NoDeveloper: true, OneSystem: true, NoStreamUsage: true, OldMaxTokens: true},
	},
	{
		Name: "together", BaseURL: "https://api.together.xyz/v1", KeyEnv: "TOGETHER_API_KEY", API: Chat, Model: "openai/gpt-oss-120b",
		Quirks: Quirks{NoDeveloper: true, OldMaxTokens: true},
	},
	{
		Name: "xai", BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY", API: Chat, Model: "grok-4.5",
		Quirks: Quirks{NoDeveloper: true},
	},
	{
		Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", KeyEnv: "GEMINI_API_KEY", API: Chat, Model: "gemini-2.5-pro",
		Quirks: Quirks{NoDeveloper: true, OldMaxTokens: true},
	},
}

// Preset returns the options of a server that is known by name, with its key from the environment and at the address that is
// given, or its usual one. The caller adds the model.
func Preset(name, baseURL string) (Options, error) {
	names := make([]string, len(Presets))
	for i, p := range Presets {
		if names[i] = p.Name; p.Name != name {
			continue
		}
		o := Options{API: p.API, BaseURL: p.BaseURL, Quirks: p.Quirks}
		if p.KeyEnv != "" {
			o.Key = strings.TrimSpace(os.Getenv(p.KeyEnv))
		}
		if baseURL != "" {
			o.BaseURL = baseURL
		} else if p.URLEnv != "" {
			if o.BaseURL = os.Getenv(p.URLEnv); o.BaseURL == "" {
				return Options{}, rein.Errorf(rein.CodeInvalid, "%s: set %s to the base URL of your resource, such as https://NAME.openai.azure.com/openai/v1", name, p.URLEnv)
			}
		}
		return o, nil
	}
	return Options{}, rein.Errorf(rein.CodeInvalid, "no server is known as %q; available: %s; or give a base URL%s", name, strings.Join(names, ", "), near.DidYouMean(name, names))
}

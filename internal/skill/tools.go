package skill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"rein"
	"rein/internal/toolname"
)

// Family is what the names of all tools of skills begin with, before a dot: so none has the name of another tool.
const Family = "skill"

// A Tool is a program of a skill that a model can call.
type Tool struct {
	Name    string          `json:"name"` // as the model calls it: skill.SKILL.TOOL
	About   string          `json:"about"`
	Schema  json.RawMessage `json:"schema"`
	Effect  rein.Effect     `json:"effect"`
	Run     string          `json:"run"`     // the program, in the folder of the skill
	Seconds int             `json:"seconds"` // how long a call may take
}

// A file of a tool is tools/NAME.json.
type toolFile struct {
	About  string          `json:"description"`
	Schema json.RawMessage `json:"schema"`
	Effect rein.Effect     `json:"effect"`
	Run    string          `json:"run"`
	Time   int             `json:"timeout"` // seconds
}

const (
	toolFolder     = "tools"
	maxTools       = 20
	maxToolAbout   = 4000
	defaultSeconds = 60
	maxSeconds     = 600
)

// readTools reads the tools of a skill. A tool that is wrong makes the skill wrong: nobody is left with half of it.
func readTools(name string, files map[string]Content) ([]Tool, error) {
	var tools []Tool
	for _, file := range slices.Sorted(maps.Keys(files)) {
		base, ok := strings.CutSuffix(path.Base(file), ".json")
		if !ok || path.Dir(file) != toolFolder {
			continue
		}
		if len(tools) == maxTools {
			return nil, fmt.Errorf("it has more than %d tools", maxTools)
		}
		t, err := readTool(name, base, files[file].Data, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if slices.ContainsFunc(tools, func(other Tool) bool { return other.Name == t.Name }) {
			return nil, fmt.Errorf("%s: there are two tools named %q: rename one", file, t.Name)
		}
		tools = append(tools, t)
	}
	return tools, nil
}

func readTool(skill, base string, data []byte, files map[string]Content) (Tool, error) {
	var f toolFile
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return Tool{}, fmt.Errorf("it must be an object with description, schema, and optionally effect, run and timeout: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Tool{}, errors.New("there is something after the object")
	}
	t := Tool{
		Name: ToolName(skill, base), About: strings.TrimSpace(f.About), Schema: f.Schema, Effect: f.Effect,
		Run: f.Run, Seconds: f.Time,
	}
	if t.Effect == "" {
		t.Effect = rein.Unsafe // nobody said that it is harmless
	}
	if t.Run == "" {
		t.Run = path.Join(toolFolder, base)
	}
	if t.Seconds == 0 {
		t.Seconds = defaultSeconds
	}
	return t, t.check(files)
}

// ToolName is how a model calls a tool of a skill.
func ToolName(skill, tool string) string { return Family + "." + Key(skill) + "." + Key(tool) }

func (t Tool) check(files map[string]Content) error {
	program, there := files[t.Run]
	switch {
	case !toolname.Good(t.Name):
		return fmt.Errorf("the name of the tool would be %.80q, which must be %s", t.Name, toolname.Rule)
	case t.About == "" || len(t.About) > maxToolAbout:
		return fmt.Errorf("description must have 1 to %d bytes and say what the tool does and when to use it", maxToolAbout)
	case !isObject(t.Schema):
		return errors.New(`schema must be a JSON Schema of an object, such as {"type":"object","properties":{}}`)
	case !slices.Contains([]rein.Effect{rein.Pure, rein.Idempotent, rein.Unsafe}, t.Effect):
		return fmt.Errorf("effect %.40q must be pure, idempotent or unsafe; unsafe is the default", string(t.Effect))
	case t.Seconds < 1 || t.Seconds > maxSeconds:
		return fmt.Errorf("timeout must be 1 to %d seconds", maxSeconds)
	case !there:
		return fmt.Errorf("there is no program %.200q in the skill: name it with run", t.Run)
	case !program.Exec:
		return fmt.Errorf("%.200q cannot be run: chmod +x it", t.Run)
	}
	return nil
}

func isObject(schema json.RawMessage) bool {
	var object struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(schema, &object) == nil && object.Type == "object"
}

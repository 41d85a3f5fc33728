package texts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
)

// A Server is an MCP server that a folder names. Values are as they are written: no variable is filled in.
type Server struct {
	Name    string
	Command []string // a program with its arguments; empty: URL says where it is
	Env     map[string]string
	URL     string
	Headers map[string]string
}

type serverFile struct {
	Servers map[string]struct {
		Type    string            `json:"type"`
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	} `json:"mcpServers"`
}

const maxServers = 50

// servers reads .mcp.json, in the form in which several programs share it. A server that is wrong stops no other.
func (l *loader) servers() (all []Server) {
	text, err := l.read(ServersFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var file serverFile
	if err == nil {
		err = json.Unmarshal([]byte(text), &file)
	}
	if err != nil {
		l.refuse(ServersFile, err)
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		s := file.Servers[name]
		switch {
		case len(all) == maxServers:
			l.refuse(ServersFile, fmt.Errorf("it has more than %d servers: the others are left out", maxServers))
			return all
		case (s.Command == "") == (s.URL == ""):
			l.refuse(ServersFile, fmt.Errorf("server %.80q needs either a command or a url", name))
			continue
		}
		server := Server{Name: name, Env: s.Env, URL: s.URL, Headers: s.Headers}
		if s.Command != "" {
			server.Command = append([]string{s.Command}, s.Args...)
		}
		if err := l.programs(server.Command); err != nil {
			l.refuse(fmt.Sprintf("server %.80q of %s", name, ServersFile), err)
			continue
		}
		all = append(all, server)
	}
	return all
}

// programs reads the files of the folder that a command names: they are run, so they belong to what is trusted.
func (l *loader) programs(command []string) error {
	for _, word := range command {
		file, err := filepath.Rel(l.root.Name(), word)
		if err != nil {
			file = path.Clean(filepath.ToSlash(word))
		}
		if _, err := l.root.Lstat(file); err != nil {
			continue // it is an option, or a program of the system
		}
		info, err := l.root.Stat(file)
		if err != nil {
			return fmt.Errorf("%s leads out of the folder: add the server with rein mcp add", file)
		}
		if !info.Mode().IsRegular() || slices.ContainsFunc(l.used, func(f File) bool { return f.Path == file }) {
			continue
		}
		content, err := l.bytes(file, min(maxSkillFile, l.room))
		if err != nil {
			return fmt.Errorf("%s: %w", file, plain(err))
		}
		l.room -= len(content.Data)
	}
	return nil
}

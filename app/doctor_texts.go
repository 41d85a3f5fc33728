package app

import (
	"rein/app/texts"
	"rein/internal/units"
)

// checkTexts lists texts, skills and commands that cannot be used: the user's own, and those of the folder that runs would
// work in.
func (d *doctor) checkTexts() {
	if d.settings == nil {
		return
	}
	own, err := texts.Load(d.settings.Texts, d.settings.PromptFiles(), d.setup.kinds().CheckText)
	if d.settings.Texts == "" {
		own, err = texts.Own{}, nil
	}
	if err != nil {
		d.find(Wrong, "texts", "set texts to a folder that can be read", "%v", err)
		return
	}
	for _, notice := range own.Notices {
		d.find(Warn, "texts", "correct the file in "+d.settings.Texts+", or set texts to another folder", "%s", notice)
	}
	files, err := d.setup.chooseFiles(d.settings, false)
	var brought texts.Folder
	if root, wrong := RealPath(files.Dir); err == nil && files.Dir != "" && wrong == nil {
		brought = *texts.Read(texts.Place{Root: root, Taken: skillNames(own.Skills)})
	}
	for _, problem := range brought.Problems {
		d.find(Warn, "texts", "correct the file, or remove it; "+d.tip("trust")+" shows what the folder brings", "in %s, %s", files.Dir, problem)
	}
	if len(own.Notices)+len(brought.Problems) == 0 && len(own.Skills)+len(brought.Skills) > 0 {
		d.find(Fine, "texts", "", "you have %s, and this folder has %s", units.Count(int64(len(own.Skills)), "skill"), units.Count(int64(len(brought.Skills)), "skill"))
	}
}

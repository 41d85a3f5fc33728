package offline

// wordsEN are the English words that the rules know. Phrases are matched at word boundaries.
var wordsEN = vocabulary{
	words: map[wordKind]map[string]bool{
		stopWord: set(`a about actually all also am an and any are as at be because been before being but by can could
		did do does doing done either each every few for from further get give had has have having he her here hers him his
		how i if in into is it its just know like let many may me might more most much must my no nor not now of
		off on one only or other our out over own please same say says she should show so some such tell than that
		the their them then there these they this those through to too under until up us very was we were what
		when where which while who whom whose why will with would you your yours`),
		askWord:    set(`what who whom whose where when why how which is are was were does do did can could should will would has have`),
		runWord:    set(`run execute exec`),
		readWord:   set(`read open show display cat view print`),
		listWord:   set(`list ls`),
		searchWord: set(`search find lookup grep locate explain describe summarise summarize compare`),
		filesWord:  set(`file files folder folders directory directories dir note notes document documents`),
		folderWord: set(`folder directory dir`),
		aboutWord:  set(`project repo repository codebase readme program app`),
	},
	phrases: map[phraseKind][]string{
		timePhrase: {
			"what time", "which time", "the time now", "current time", "time is it", "what date", "what day is", "today's date",
			"current date", "which day is", "what is the date today", "what is today",
		},
		identityPhrase: {
			"who are you", "what are you", "are you an", "are you a", "are you chatgpt", "are you gpt", "are you claude", "which model are you",
			"what model are you", "what can you do", "your name", "help me get started",
		},
		listingPhrase: {
			"what files", "which files", "what is in the folder", "what is in this folder", "what's in this folder", "what is in the directory",
			"what is here", "show files", "show the files", "show all files", "what notes", "which notes", "show the folder", "show the directory",
		},
		missingPhrase: {
			"read the file", "read a file", "read this file", "read that file", "open the file", "open a file", "show the file",
			"show me the file", "read the note", "open the note", "read my file", "read my note", "summarise the file", "summarize the file",
		},
	},
}

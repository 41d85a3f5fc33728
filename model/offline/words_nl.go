package offline

// wordsNL are the Dutch words that the rules know.
var wordsNL = vocabulary{
	words: map[wordKind]map[string]bool{
		stopWord: set(`aan al alle alles als altijd ander andere ben bent bij daar dan dat de der deze die dit doch doen door dus
		een eens en er ge geen geef graag haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is
		ja je jij jou jouw jullie kan kun kunt kon kunnen maar me mee meer men met mij mijn moet na naar niet niets nog nu of
		om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat
		we wel welk welke werd wie wij wil worden wordt waar waarom wanneer zal ze zei zelf zich zij zijn zo zonder zou
		zeg vertel gaat gaan staat staan samen laat zien eens even mag alstublieft alsjeblieft`),
		askWord:    set(`wat wie waar wanneer waarom hoe welk welke hoeveel is zijn was waren kan kun kunt kunnen moet zal zou heeft hebben doet`),
		runWord:    set(`voer uitvoeren draai start`),
		readWord:   set(`lees open toon bekijk`),
		listWord:   set(`toon lijst som geef`),
		searchWord: set(`zoek vind vat opzoeken zoeken leg beschrijf vergelijk uitleg`),
		filesWord:  set(`bestand bestanden map mappen notitie notities document documenten`),
		folderWord: set(`map`),
		aboutWord:  set(`project repo repository code programma app`),
	},
	phrases: map[phraseKind][]string{
		timePhrase: {"hoe laat", "welke tijd", "wat is de tijd", "huidige tijd", "welke datum", "wat is de datum", "welke dag is", "wat voor dag is"},
		identityPhrase: {
			"wie ben je", "wie bent u", "wat ben je", "wat bent u", "ben je een", "bent u een", "ben jij een", "welk model ben", "wat kun je",
			"wat kan je", "wat kunt u", "hoe heet je",
		},
		listingPhrase: {
			"welke bestanden", "toon bestanden", "toon de bestanden", "toon alle bestanden", "wat staat er in de map", "wat zit er in de map",
			"welke notities", "toon de map", "wat staat hier", "toon notities", "toon de notities",
		},
		missingPhrase: {
			"lees het bestand", "lees een bestand", "lees dit bestand", "lees dat bestand", "open het bestand", "toon het bestand",
			"lees de notitie", "open de notitie", "lees mijn notitie", "lees mijn bestand",
		},
	},
}

// Makes one site of an archive of several modules, and fails if the site has a dead link. DocC's pages are
// data that a script draws in the browser. This program changes the data, and writes the static part of each
// page.
//
// Usage: pages ARCHIVE FRONT-PAGE.json FOLDER-OF-THIS-FILE BASE-PATH

import Foundation

let arguments = CommandLine.arguments.dropFirst().map { String($0) }
let folder = URL(filePath: arguments[0])
let base = arguments[3].split(separator: "/").map { "/\($0)" }.joined()

var archive = try Archive(folder)
try archive.setFront(to: URL(filePath: arguments[1]))
try StaticPages(archive, parts: URL(filePath: arguments[2]), base: base).write()

let contracts = archive.giveContractsAnchors()
let linker = Linker(archive, contracts: contracts)
for (name, page) in archive.pages { archive.pages[name] = linker.linked(page, named: name) }
archive.listSections()
archive.addFrontToHierarchy()
try archive.write()
try archive.writeNavigator(contracts: contracts)

let links = try Links(in: folder, base: base)
let problems = links.problems(contracts: contracts)
for problem in problems { print(problem) }
print(
  "\(archive.pages.count) pages, \(contracts.count) contracts, \(links.count) links, \(problems.count) problems"
)
exit(problems.isEmpty && !contracts.isEmpty ? 0 : 1)

// These clients in Swift 6 mode use no escape from its checks. They compile with either default isolation.
await showDocument()
await showIndex()
await showExporter()
await showThumbnails()
await showSettings()
await showNotebook()

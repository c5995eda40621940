// Names of the modules below PhotoEditing that many commands use.
@_exported import enum SafelightAdjustments.AdjustmentRegistry
@_exported import struct SafelightFormats.JSONValue

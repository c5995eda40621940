print("edit")

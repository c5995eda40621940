/// The candidate that somebody who wrote `word` most likely meant, whatever its case.
///
/// That is the one with the fewest slips (a letter too many, missing, wrong, or swapped with the
/// next), up to one slip for three letters and never all of them; the first of equals. Failing
/// that, the only candidate that begins with the word. `nil` when nothing is near enough.
/// Source: optimal string alignment, the restricted Damerau–Levenshtein distance.
public func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let letters = Array(word.lowercased())
  var best: (candidate: String, distance: Int)?
  var completions: [String] = []
  for candidate in candidates {
    let other = Array(candidate.lowercased())
    let distance = slips(letters, other)
    let limit = max(1, max(letters.count, other.count) / 3)
    if distance <= limit, distance < min(letters.count, other.count),
      distance < best?.distance ?? .max
    {
      best = (candidate, distance)
    }
    if letters.count > 1, other.starts(with: letters) { completions.append(candidate) }
  }
  return best?.candidate ?? (completions.count == 1 ? completions[0] : nil)
}

/// How many slips turn one word into the other.
private func slips(_ left: [Character], _ right: [Character]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for i in left.indices {
    var current = [i + 1]
    for j in right.indices {
      let isSame = left[i] == right[j]
      var distance = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (isSame ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforePrevious[j - 1] + 1)
      }
      current.append(distance)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[right.count]
}

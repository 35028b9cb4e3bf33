package io.sdds.core.row;

import java.util.Collection;
import java.util.Locale;

/** Suggests the name that somebody who typed an unknown name may have meant. */
public final class NearNames {
    private NearNames() {}

    /**
     * The end of an error message: {@code "; did you mean 'bigint'?"}, or an empty text if no candidate is near.
     *
     * @param name what was typed
     * @param candidates what is known; of equally near candidates the first is named
     */
    public static String hint(String name, Collection<String> candidates) {
        String typed = name.toLowerCase(Locale.ROOT);
        String nearest = "";
        int least = typed.length() / 3 + 2;
        for (String candidate : candidates) {
            int distance = distance(typed, candidate.toLowerCase(Locale.ROOT), least);
            if (distance < least && distance < candidate.length()) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean '" + nearest + "'?";
    }

    /**
     * Insertions, deletions and replacements of characters, and exchanges of neighbours, that make one text the other
     * (optimal string alignment); {@code limit} if the lengths alone differ that much.
     */
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit) {
            return limit;
        }
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(last[j - 1] + change, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[b.length()];
    }
}

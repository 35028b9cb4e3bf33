package io.sdds.sql.tpcds;

import io.trino.tpcds.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The words of TPC-DS from which rows and parameters are drawn: the files of the library {@code io.trino.tpcds}. */
final class TpcdsWords {
    /**
     * At a small scale all stores are in one county: number, county, state, its name, digit of postal codes, hours from
     * UTC.
     */
    private static final List<List<String>> COUNTIES =
            List.of(List.of("47187", "Williamson County", "TN", "Tennessee", "3", "-5"));

    private static final Map<String, String> FILES = Map.of(
            "marital_status", "marital_statuses",
            "gender", "genders",
            "i_manager_id", "item_manager_id",
            "stores", "syllables");

    private TpcdsWords() {}

    static String drawn(String distribution, int column, Random random) {
        List<List<String>> entries = entries(distribution);
        return entries.get(random.nextInt(entries.size())).get(column - 1);
    }

    /** The word of an entry, counted from 1. */
    static String member(String distribution, int entry, int column) {
        List<List<String>> entries = entries(distribution);
        return entries.get((entry - 1) % entries.size()).get(column - 1);
    }

    private static List<List<String>> entries(String distribution) {
        if (distribution.equals("fips_county")) {
            return COUNTIES;
        }
        String file = FILES.getOrDefault(distribution, distribution);
        String text = TpcdsTemplate.resource("/io/trino/tpcds/distribution/" + file + ".dst", Table.class);
        List<List<String>> entries = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (!line.startsWith("--") && line.contains(":")) {
                String words = line.substring(0, line.lastIndexOf(':'));
                entries.add(java.util.Arrays.stream(words.split("(?<!\\\\),"))
                        .map(word -> word.strip().replace("\\", ""))
                        .toList());
            }
        }
        return entries;
    }
}

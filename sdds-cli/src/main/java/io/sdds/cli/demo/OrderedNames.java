package io.sdds.cli.demo;

import io.sdds.cli.terminal.Numbers;
import io.sdds.client.Codec;
import io.sdds.client.Range;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Stores the names in a range table, and queries a range forwards and backwards. */
final class OrderedNames {
    private static final String TABLE = "ordered";
    private static final String FIRST = UnicodeNames.key(0x1F600);
    private static final String LAST = UnicodeNames.key(0x1F64F);
    private static final int SHOWN = 3;

    private final Narrator narrator;
    private final TreeMap<String, String> names;
    private final Map<String, Object> summary;

    OrderedNames(Narrator narrator, Map<String, String> names, Map<String, Object> summary) {
        this.narrator = narrator;
        this.names = new TreeMap<>(names);
        this.summary = summary;
    }

    /** Loads the names and queries the emoticons. Returns whether the answer was complete and in order. */
    boolean show(SddsClient client, TableOptions options) {
        narrator.step("The same names in a range table, which keeps keys in order: the emoticons");
        RangeTable<String, String> table = client.createRangeTable(TABLE, options, Codec.utf8(), Codec.utf8());
        long beganNanos = System.nanoTime();
        table.putAll(names);
        int partitions = client.tables().stream()
                .filter(each -> each.name().equals(TABLE))
                .mapToInt(each -> each.partitions())
                .sum();
        narrator.tell(Numbers.count(names.size()) + " records loaded in "
                + Numbers.duration(System.nanoTime() - beganNanos) + ", "
                + Numbers.plural(partitions, "partition") + " so far");
        Range<String, String> emoticons = table.range(FIRST, LAST);
        boolean holds = isWhole(emoticons, names.subMap(FIRST, true, LAST, true), "ascending")
                & isWhole(
                        emoticons.descending(),
                        names.subMap(FIRST, true, LAST, true).descendingMap(),
                        "descending");
        summary.put("emoticons", emoticons.count());
        return holds;
    }

    private boolean isWhole(Range<String, String> range, Map<String, String> expected, String direction) {
        long beganNanos = System.nanoTime();
        List<Map.Entry<String, String>> found = range.toList();
        long tookNanos = System.nanoTime() - beganNanos;
        for (Map.Entry<String, String> name : found.subList(0, Math.min(SHOWN, found.size()))) {
            narrator.tell(name.getKey() + "  " + character(name.getKey()) + "  " + name.getValue());
        }
        narrator.tell("… " + Numbers.plural(found.size(), "record") + " from " + FIRST + " to " + LAST + ", "
                + direction + ", in " + Numbers.duration(tookNanos));
        boolean whole = found.equals(new ArrayList<>(expected.entrySet()));
        if (!whole) {
            narrator.complain("wrong records; expected " + expected.size() + " records in this order");
        }
        return whole;
    }

    private static String character(String key) {
        return Character.toString(Integer.parseInt(key.substring(2), 16));
    }
}

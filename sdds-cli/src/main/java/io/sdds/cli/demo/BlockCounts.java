package io.sdds.cli.demo;

import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Stores the characters in a table with typed columns, and has the bricks count them by block. */
final class BlockCounts {
    private static final String TABLE = "characters";
    private static final String COLUMNS =
            "code integer key, name varchar not null, block varchar not null, script varchar not null";
    private static final int SHOWN = 8;
    private static final int BAR_WIDTH = 30;
    private static final int TIMES = 3;

    private final Narrator narrator;
    private final Map<String, Object> summary;
    private final TreeMap<Integer, Sign> characters = new TreeMap<>();

    /** A row of the table. */
    record Sign(String name, String block, String script) {
        static Sign of(int codePoint, String name) {
            Character.UnicodeBlock block = Character.UnicodeBlock.of(codePoint);
            return new Sign(
                    name,
                    block == null ? "none" : block.toString().replace('_', ' '),
                    Character.UnicodeScript.of(codePoint).name());
        }

        long characters() {
            return name.length() + block.length() + script.length();
        }
    }

    /** A row of the answer. */
    record Block(String block, long characters) {}

    private record Answer(List<Block> blocks, long nanos) {}

    BlockCounts(Narrator narrator, Map<String, String> names, Map<String, Object> summary) {
        this.narrator = narrator;
        this.summary = summary;
        names.forEach((key, name) -> {
            int codePoint = Integer.parseInt(key.substring(2), 16);
            characters.put(codePoint, Sign.of(codePoint, name));
        });
    }

    /** The block of each character. */
    Map<Integer, String> blocks() {
        TreeMap<Integer, String> blocks = new TreeMap<>();
        characters.forEach((code, sign) -> blocks.put(code, sign.block()));
        return blocks;
    }

    /** Writes the rows to a file, for {@code sdds load --infer}. No cell needs quotes. */
    void export(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("code,name,block,script\n");
            for (Map.Entry<Integer, Sign> each : characters.entrySet()) {
                Sign sign = each.getValue();
                out.write(each.getKey() + "," + sign.name() + "," + sign.block() + "," + sign.script() + "\n");
            }
        }
    }

    /** Loads the rows and counts them. Returns whether the counts are right. */
    boolean show(SddsClient client, String address, TableOptions options) {
        narrator.step("Typed columns, and a query that the bricks compute: characters by block");
        RangeTable<Integer, Sign> table =
                client.createRangeTable(TABLE, options.withSchema(COLUMNS), Codec.int32(), Codec.ofRecord(Sign.class));
        long beganNanos = System.nanoTime();
        table.putAll(characters);
        long textBytes =
                characters.values().stream().mapToLong(Sign::characters).sum();
        narrator.tell(Numbers.count(characters.size()) + " rows of code, name, block and script with "
                + Numbers.bytes(textBytes) + " of text, loaded in "
                + Numbers.duration(System.nanoTime() - beganNanos));
        Answer shipped = answer(table);
        print(shipped.blocks());
        Answer fetched;
        ClientSettings settings =
                ClientSettings.builder().pushdown(false).timeout(Demo.PATIENCE).build();
        try (SddsClient other = SddsClient.connect(List.of(address), settings)) {
            fetched = answer(other.rangeTable(TABLE, Codec.int32(), Codec.ofRecord(Sign.class)));
        }
        narrator.tell("… " + Numbers.plural(shipped.blocks().size(), "block") + " in "
                + Numbers.duration(shipped.nanos()) + ": the bricks count next to the records and send counts;");
        narrator.tell("the same with all records sent to the client: " + Numbers.duration(fetched.nanos()));
        summary.put("blocks", shipped.blocks().size());
        summary.put("group_by_micros", shipped.nanos() / 1000);
        summary.put("group_by_at_client_micros", fetched.nanos() / 1000);
        boolean holds = isRight(shipped.blocks()) & isRight(fetched.blocks());
        if (!holds) {
            narrator.complain("wrong counts");
        }
        return holds;
    }

    /** The answer, and the shortest time that it took. */
    private static Answer answer(RangeTable<Integer, Sign> table) {
        List<Block> blocks = List.of();
        long leastNanos = Long.MAX_VALUE;
        for (int k = 0; k < TIMES; k++) {
            long beganNanos = System.nanoTime();
            blocks = table.scan()
                    .groupBy("block")
                    .aggregate("count(*) as characters")
                    .orderBy("characters desc, block")
                    .as(Block.class)
                    .toList();
            leastNanos = Math.min(leastNanos, System.nanoTime() - beganNanos);
        }
        return new Answer(blocks, leastNanos);
    }

    private void print(List<Block> blocks) {
        TextTable text = new TextTable(1);
        long most = blocks.stream().mapToLong(Block::characters).max().orElse(1);
        for (Block block : blocks.subList(0, Math.min(SHOWN, blocks.size()))) {
            int bar = (int) Math.max(1, BAR_WIDTH * block.characters() / most);
            text.row(block.block(), Numbers.count(block.characters()), "█".repeat(bar) + " ".repeat(BAR_WIDTH - bar));
        }
        text.lines().forEach(narrator::tell);
    }

    private boolean isRight(List<Block> blocks) {
        Map<String, Long> counts =
                characters.values().stream().collect(Collectors.groupingBy(Sign::block, Collectors.counting()));
        List<Block> expected = counts.entrySet().stream()
                .map(count -> new Block(count.getKey(), count.getValue()))
                .sorted(Comparator.comparing(Block::characters).reversed().thenComparing(Block::block))
                .toList();
        return blocks.equals(expected);
    }
}

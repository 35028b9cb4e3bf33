package io.sdds.sql.tpch;

import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableInfo;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchEntity;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The rows of TPC-H, one file for each table with a line for each row and | between the fields. Comments come from a
 * smaller pool of text than the standard's, which takes 300 MB and longer than the queries.
 */
final class TpchData {
    private static final int POOL_BYTES = 8 << 20;
    private static final int WRITES_MAX = 4_096;

    private final Path directory;

    private TpchData(Path directory) {
        this.directory = directory;
    }

    /** Writes the files, unless an earlier run has. */
    static TpchData of(double scale) throws IOException {
        TpchData data = new TpchData(Path.of("target", "tpch", "sf" + scale));
        if (Files.exists(data.directory.resolve("complete"))) {
            return data;
        }
        Files.createDirectories(data.directory);
        Distributions words = Distributions.getDefaultDistributions();
        TextPool pool = new TextPool(POOL_BYTES, words);
        Supplier<TextPool> text = () -> pool;
        data.write("region", new RegionGenerator(words, text));
        data.write("nation", new NationGenerator(words, text));
        data.write("part", new PartGenerator(scale, 1, 1, words, text));
        data.write("supplier", new SupplierGenerator(scale, 1, 1, words, text));
        data.write("partsupp", new PartSupplierGenerator(scale, 1, 1, text));
        data.write("customer", new CustomerGenerator(scale, 1, 1, words, text));
        data.write("orders", new OrderGenerator(scale, 1, 1, words, text));
        data.write("lineitem", new LineItemGenerator(scale, 1, 1, words, text));
        Files.createFile(data.directory.resolve("complete"));
        return data;
    }

    private void write(String table, Iterable<? extends TpchEntity> rows) throws IOException {
        try (BufferedWriter file = Files.newBufferedWriter(file(table))) {
            for (TpchEntity row : rows) {
                writeLine(file, row.toLine());
            }
        }
    }

    private static void writeLine(Writer file, String line) throws IOException {
        file.write(line, 0, line.endsWith("|") ? line.length() - 1 : line.length());
        file.write('\n');
    }

    /** The file of a table. */
    Path file(String table) {
        return directory.resolve(table + ".csv");
    }

    /** Writes all rows of a table into the table of a cluster. */
    void load(SddsClient client, String name) throws IOException {
        TableInfo info = client.tables().stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow();
        Schema schema = info.schema();
        Table<byte[], byte[]> table = client.table(name, Codec.bytes(), Codec.bytes());
        List<CompletableFuture<?>> writes = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file(name))) {
            for (String line : (Iterable<String>) lines::iterator) {
                writes.add(table.putAsync(key(schema, line), value(schema, line)));
                if (writes.size() == WRITES_MAX) {
                    writes.forEach(CompletableFuture::join);
                    writes.clear();
                }
            }
        }
        writes.forEach(CompletableFuture::join);
    }

    private static byte[] key(Schema schema, String line) {
        return KeyEncoding.of(schema).encode(values(schema, line, true));
    }

    private static byte[] value(Schema schema, String line) {
        return new RowWriter(schema).write(values(schema, line, false));
    }

    private static Object[] values(Schema schema, String line, boolean ofKey) {
        String[] fields = line.split("\\|", -1);
        List<Column> columns = schema.liveColumns();
        List<Object> values = new ArrayList<>();
        for (int k = 0; k < fields.length; k++) {
            if (columns.get(k).key() == ofKey) {
                values.add(value(columns.get(k), fields[k]));
            }
        }
        return values.toArray();
    }

    private static Object value(Column column, String field) {
        return switch (column.type().kind()) {
            case INTEGER -> Integer.valueOf(field);
            case BIGINT -> Long.valueOf(field);
            case DECIMAL -> new BigDecimal(field).setScale(column.type().scale());
            case DATE -> LocalDate.parse(field);
            default -> field;
        };
    }
}

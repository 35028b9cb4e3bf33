package peers.queries;

import io.sdds.client.Codec;
import io.sdds.client.Query;
import io.sdds.client.Row;
import io.sdds.client.RowQuery;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** SDDS, by the client of this checkout. */
final class SddsStore implements Store {
    private static final String SCHEMA = "id bigint key, n integer not null, amount bigint not null,"
            + " part integer not null, note varchar not null";
    private static final int PARTITIONS = 8;
    private static final int BATCH = 10_000;

    private final String kind;
    private final SddsClient client;

    record Columns(int n, long amount, int part, String note) {}

    /** @param kind range or hash */
    SddsStore(String kind, String address) {
        this.kind = kind;
        this.client = SddsClient.connect(address);
    }

    @Override
    public String name() {
        return "SDDS, " + kind + " table";
    }

    @Override
    public void load(int rows) throws Exception {
        TableOptions options = TableOptions.capacity(rows / PARTITIONS).withSchema(SCHEMA);
        Codec<Columns> columns = Codec.ofRecord(Columns.class);
        Table<Long, Columns> table = kind.equals("range")
                ? client.createRangeTable(kind, options, Codec.int64(), columns)
                : client.createHashTable(kind, options, Codec.int64(), columns);
        Map<Long, Columns> some = new HashMap<>();
        Rows.each(rows, row -> {
            some.put(row.id(), new Columns(row.n(), row.amount(), row.part(), row.note()));
            if (some.size() == BATCH) {
                table.putAll(some);
                some.clear();
            }
        });
        table.putAll(some);
    }

    private Query<Long, Columns> all() {
        Codec<Columns> columns = Codec.ofRecord(Columns.class);
        return client.table(kind, Codec.int64(), columns).scan();
    }

    @Override
    public List<List<Long>> filter() {
        return numbers(all().rows().where("n < 100").select("id, amount"));
    }

    @Override
    public List<List<Long>> groups() {
        return numbers(all().groupBy("part").aggregate("count(*) as n, cast(sum(amount) as bigint) as amount"));
    }

    private static List<List<Long>> numbers(RowQuery<Row> query) {
        int columns = query.columns().size();
        List<List<Long>> rows = new ArrayList<>();
        for (Row row : query.toList()) {
            List<Long> numbers = new ArrayList<>(columns);
            for (int k = 0; k < columns; k++) {
                numbers.add(row.getLong(k));
            }
            rows.add(numbers);
        }
        return rows;
    }

    @Override
    public void close() {
        client.close();
    }
}

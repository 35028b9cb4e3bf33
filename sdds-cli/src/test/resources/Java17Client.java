import static io.sdds.client.Filters.value;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.util.HashMap;
import java.util.Map;

/** A user's program, run from its source by Java 17: writes, reads and scans while the table splits. */
public class Java17Client {
    public static void main(String[] args) {
        try (SddsClient client = SddsClient.connect(args[0])) {
            HashTable<String, Long> table =
                    client.createHashTable("java17", TableOptions.capacity(500), Codec.utf8(), Codec.int64());
            Map<String, Long> records = new HashMap<>();
            for (long k = 0; k < 5000; k++) {
                records.put("key " + k, k);
            }
            table.putAll(records);
            boolean same = table.getAll(records.keySet()).equals(records);
            HashTable<String, String> text =
                    client.createHashTable("text", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            for (int k = 0; k < 100; k++) {
                text.put("key " + k, "value " + k);
            }
            long sevens = text.scan(value().contains("7")).count();
            System.out.println("java " + Runtime.version().feature() + ": " + (same ? table.size() : -1) + " of "
                    + records.size() + " records, " + sevens + " with a 7");
        }
    }
}

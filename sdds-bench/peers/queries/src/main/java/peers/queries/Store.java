package peers.queries;

import java.util.List;

/** A store that answers the two queries. */
interface Store extends AutoCloseable {
    String name();

    /** Creates the table and writes its rows. */
    void load(int rows) throws Exception;

    /** Keys and amounts of the rows with n below 100. */
    List<List<Long>> filter() throws Exception;

    /** For each part: the part, the number of its rows and the sum of their amounts. */
    List<List<Long>> groups() throws Exception;
}

package io.sdds.cli.sql;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Tells the line editor where words begin and end, and that a statement goes on until its semicolon. */
final class SqlWords implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        boolean isAccepted = context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
        if (isAccepted && !StatementScanner.isComplete(line)) {
            throw new EOFError(-1, cursor, "the statement has no semicolon");
        }
        return Words.of(line, cursor);
    }

    static boolean isPartOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '\\';
    }

    /** The words of a line. The word at the cursor is a part of a name, perhaps an empty one. */
    private record Words(String line, int cursor, List<String> words, int wordIndex, int wordCursor)
            implements CompletingParsedLine {
        static Words of(String line, int cursor) {
            List<String> words = new ArrayList<>();
            int index = -1;
            int inWord = 0;
            for (int begin = 0; begin <= line.length(); ) {
                int end = begin;
                while (end < line.length() && isPartOfWord(line.charAt(end))) {
                    end++;
                }
                boolean isAtCursor = begin <= cursor && cursor <= end;
                if (isAtCursor) {
                    index = words.size();
                    inWord = cursor - begin;
                }
                if (isAtCursor || end > begin) {
                    words.add(line.substring(begin, end));
                }
                begin = end + 1;
            }
            return new Words(line, cursor, words, index, inWord);
        }

        @Override
        public String word() {
            return words.get(wordIndex);
        }

        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor;
        }

        @Override
        public int rawWordLength() {
            return word().length();
        }
    }
}

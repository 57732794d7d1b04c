/** A file that a program wrote, and how an upload of it ends if these types are asked for. */
export type RealFile = {
  name: string;
  program: string;
  /** The command that wrote it to `$OUT`, in a folder with what the `SOURCES` made: see `generate.ts`. */
  command: string;
  types: readonly string[];
  /** The media type of the accepted file. */
  mimeType: string;
};

/** The files of a media type, in lines: name, program, the types unless the name's ending is the only one, and the command. */
const rows =
  (mimeType: string) =>
  (lines: TemplateStringsArray, ...commands: string[]): RealFile[] =>
    String.raw(lines, ...commands)
      .trim()
      .split(/\n {4}(?=\S)/)
      .map((line) => {
        const [name = "", program = "", ...rest] = line.split(" :: ");
        const types = rest.length > 1 ? rest[0]?.split(",") : undefined;
        return {
          ...{ name, program, command: rest.at(-1) ?? "", mimeType },
          types: types ?? [name.split(".").at(-1) ?? ""],
        };
      });

/** What the commands below work on. */
export const SOURCES = [
  "convert -seed 7 -size 260x180 plasma: -strip -depth 8 photo.png",
  "convert photo.png -quality 85 photo.jpg",
  "convert photo.png -resize 96x64 medium.png",
  "convert photo.png -monochrome page.pbm",
  "convert -seed 8 -size 60x40 plasma: -strip -depth 8 small.png",
  "convert small.png small.jpg",
  "convert small.png small.ppm",
  "convert small.png -crop 30x40 +repage small-%d.png",
  "printf '<html><body><h1>Letter</h1><p>Gr\\303\\274\\303\\237e</p></body></html>' > letter.html",
  "printf '# Letter\\n\\nGr\\303\\274\\303\\237e\\n' > letter.md",
  "printf 'Name;Betrag\\r\\nM\\303\\274ller;12,50\\r\\nJos\\303\\251;7,00\\r\\n' > rows.csv",
  "tr ';' '\\t' < rows.csv > rows.tsv",
  "printf '%%!PS-Adobe-3.0\\n/Helvetica findfont 24 scalefont setfont 72 700 moveto (Letter) show showpage\\n' > page.ps",
  "gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -sOutputFile=page.pdf page.ps",
  "soffice --headless '--infilter=HTML (StarWriter)' --convert-to docx letter.html",
  "for type in doc odt rtf; do soffice --headless --convert-to $type letter.docx; done",
  "for type in xlsx xls ods; do soffice --headless --convert-to $type rows.csv; done",
  "pandoc letter.md -o slides.pptx",
  "soffice --headless --convert-to odp slides.pptx",
  "for file in letter.docx rows.xlsx slides.pptx letter.odt rows.ods slides.odp; do mkdir $file-parts && unzip -q $file -d $file-parts; done",
  "ffmpeg -v error -f lavfi -i testsrc=size=96x64:rate=5:duration=2 -f lavfi -i sine=duration=2 -c:v libx264 -c:a aac -b:a 32k -shortest film.mkv",
];

const PDF = "application/pdf";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const OLD_WORD = "application/msword";
const OLD_SHEET = "application/vnd.ms-excel";

const JOINED = (before: string) => `{ printf '${before}'; cat page.pdf; } > "$OUT"`;
/** As many web applications stream a package: sizes follow each entry, and the list of types comes last. */
const STREAMED = (folder: string) =>
  `python3 -c 'import os, sys, zipfile
class Pipe:
  def write(self, data): return sys.stdout.buffer.write(data)
  def flush(self): sys.stdout.flush()
archive = zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED)
os.chdir("${folder}")
names = [os.path.join(folder, name)[2:] for folder, _, files in os.walk(".") for name in files]
for name in sorted(names, key=lambda name: (name[0] == "[", name)): archive.write(name)
archive.close()' > "$OUT"`;
/** A picture of 100 KB before everything else. */
const PICTURE_FIRST = (folder: string, media: string) =>
  `cp -r ${folder} t-${folder} && mkdir -p t-${folder}/${media} && cp photo.png t-${folder}/${media}/image1.png && (cd t-${folder} && zip -q -X -0 "$OUT" ${media}/image1.png && zip -q -X -r "$OUT" . -x '*image1.png')`;
const SHEETJS = (type: string) =>
  `node -e 'const x = require("xlsx"); x.writeFile(x.read("Name,Sum\\nAnn,12.5\\nBob,7", { type: "string" }), process.env.OUT, { bookType: "${type}" })'`;
const TIFF_OF = (options: string, picture = "medium.png") => `convert ${picture} ${options} tiff:"$OUT"`;
const SCAN = (device: string) =>
  `gs -q -dBATCH -dNOPAUSE -r40 -sDEVICE=${device} -sOutputFile="$OUT" page.pdf`;

export const REAL_FILES: readonly RealFile[] = [
  ...rows("image/tiff")`
    lzw.tif :: ImageMagick :: ${TIFF_OF("-compress lzw", "photo.png")}
    uncompressed.tif :: ImageMagick :: ${TIFF_OF("-compress none", "photo.png")}
    zip.tiff :: ImageMagick :: tif :: ${TIFF_OF("-compress zip")}
    jpeg.tif :: ImageMagick :: tiff :: ${TIFF_OF("-compress jpeg")}
    fax.tif :: ImageMagick :: ${TIFF_OF("-monochrome -compress group4")}
    pages.tif :: ImageMagick :: convert photo.png photo.jpg -compress lzw "$OUT"
    big-endian.tif :: ImageMagick :: ${TIFF_OF("-endian MSB -compress lzw")}
    big.tif :: ImageMagick :: convert medium.png -compress lzw tiff64:"$OUT"
    big-big-endian.tif :: ImageMagick :: convert medium.png -endian MSB -compress lzw tiff64:"$OUT"
    pyramid.tif :: ImageMagick :: convert medium.png -compress jpeg ptif:"$OUT"
    packbits.tif :: tiffcp :: convert medium.png t.tif && tiffcp -c packbits t.tif "$OUT"
    tiles.tif :: tiffcp :: convert medium.png t.tif && tiffcp -B -t -w 64 -l 64 -c zip t.tif "$OUT"
    tiffcp-big.tif :: tiffcp :: convert medium.png t.tif && tiffcp -8 -c lzw t.tif "$OUT"
    raw.tif :: raw2tiff :: tail -c 7200 small.ppm > raw && raw2tiff -w 60 -l 40 -b 3 raw "$OUT"
    received.tif :: fax2tiff :: convert page.pbm -resize 1728x -compress fax fax:raw && fax2tiff -o "$OUT" raw
    ffmpeg.tif :: ffmpeg :: ffmpeg -v error -i medium.png -c:v tiff -f image2 "$OUT"
    scan-fax.tif :: Ghostscript :: ${SCAN("tiffg4")}
    scan-color.tif :: Ghostscript :: ${SCAN("tiff24nc -sCompression=lzw")}
    tagged.tif :: exiftool :: convert medium.png -compress lzw t.tif && exiftool -q -Artist=Ann -XMP:Title=Scan -o "$OUT" t.tif
    gm.tif :: GraphicsMagick :: gm convert medium.png -compress LZW "$OUT"
    pil.tif :: Pillow :: /usr/bin/python3 -c 'import os; from PIL import Image; Image.open("medium.png").save(os.environ["OUT"])'
  `,
  ...rows("image/png")`
    photo.png :: ImageMagick :: cp photo.png "$OUT"
    profile.png :: ImageMagick :: convert small.png -profile /usr/share/color/icc/ghostscript/default_cmyk.icc -profile /usr/share/color/icc/ghostscript/srgb.icc "$OUT" || convert small.png "$OUT"
    described.png :: exiftool :: head -c 9000 /dev/zero | tr '\0' x > long && exiftool -q '-XMP:Description<=long' -o "$OUT" small.png
    scan.png :: Ghostscript :: ${SCAN("png16m")}
    film.png :: ffmpeg :: ffmpeg -v error -i film.mkv -frames:v 1 -update 1 "$OUT"
    animated.png :: ffmpeg :: ffmpeg -v error -i film.mkv -vf scale=48:-1 -f apng "$OUT"
    vector.png :: librsvg :: pdftocairo -svg page.pdf s.svg && rsvg-convert -w 120 s.svg -o "$OUT"
    picture.jpg :: ImageMagick :: jpg,png :: cp small.png "$OUT"
  `,
  ...rows("image/jpeg")`
    photo.jpg :: ImageMagick :: cp photo.jpg "$OUT"
    progressive.jpeg :: ImageMagick :: jpg :: convert photo.png -interlace JPEG "$OUT"
    cmyk.jpg :: ImageMagick :: jpeg :: convert small.png -colorspace CMYK "$OUT"
    tagged.jpg :: exiftool :: exiftool -q -Make=Phone -Orientation=6 -n '-ThumbnailImage<=small.jpg' -o "$OUT" photo.jpg
    libjpeg.jpe :: cjpeg :: jpg :: cjpeg small.ppm > "$OUT"
    saved.jfif :: Pillow :: jpeg :: /usr/bin/python3 -c 'import os; from PIL import Image; Image.open("small.png").convert("RGB").save(os.environ["OUT"], "JPEG")'
    film.jpg :: ffmpeg :: ffmpeg -v error -i film.mkv -frames:v 1 -update 1 "$OUT"
    scan.jpg :: Ghostscript :: ${SCAN("jpeg")}
    IMG_0001.HEIC :: ImageMagick :: jpeg,heic :: cp photo.jpg "$OUT"
  `,
  ...rows("image/gif")`
    small.gif :: ImageMagick :: convert small.png "$OUT"
    animated.gif :: ffmpeg :: ffmpeg -v error -i film.mkv -vf scale=32:-1 "$OUT"
  `,
  ...rows("image/webp")`
    photo.webp :: ImageMagick :: convert photo.png "$OUT"
    lossless.webp :: cwebp :: cwebp -quiet -lossless small.png -o "$OUT"
    animated.webp :: ffmpeg :: ffmpeg -v error -i film.mkv -vf scale=32:-1 -loop 0 "$OUT"
    chat.jpg :: cwebp :: webp,jpg :: cwebp -quiet photo.png -o "$OUT"
  `,
  ...rows("image/heic")`
    photo.heic :: libheif :: heif-enc -q 40 photo.png -o "$OUT"
    photo.heif :: libheif :: heic :: heif-enc -q 40 small.png -o t.heic && mv t.heic "$OUT"
    magick.heic :: ImageMagick :: heif :: convert small.png heic:"$OUT"
    shared.jpg :: libheif :: jpg,heic :: heif-enc -q 40 small.png -o t.heic && mv t.heic "$OUT"
  `,
  ...rows("image/avif")`
    photo.avif :: avifenc :: avifenc -s 10 small.png "$OUT" > log
    film.avif :: ffmpeg :: ffmpeg -v error -i film.mkv -frames:v 1 -c:v libaom-av1 -cpu-used 8 -still-picture 1 "$OUT"
  `,
  ...rows("image/bmp")`
    small.bmp :: ImageMagick :: convert small.png BMP3:"$OUT"
    film.bmp :: ffmpeg :: ffmpeg -v error -i film.mkv -frames:v 1 -vf scale=48:-1 -update 1 "$OUT"
  `,
  ...rows(PDF)`
    page.pdf :: Ghostscript :: cp page.pdf "$OUT"
    archived.pdf :: Ghostscript :: gs -q -dBATCH -dNOPAUSE -dPDFA=2 -sDEVICE=pdfwrite -sColorConversionStrategy=RGB -sOutputFile="$OUT" page.ps
    photo.pdf :: GraphicsMagick :: gm convert photo.jpg "$OUT"
    scan.pdf :: tiff2pdf :: convert page.pbm -compress group4 t.tif && tiff2pdf -o "$OUT" t.tif
    img2pdf.pdf :: img2pdf :: img2pdf small.jpg -o "$OUT"
    linear.pdf :: qpdf :: qpdf --linearize page.pdf "$OUT"
    locked.pdf :: qpdf :: qpdf --encrypt open owner 256 -- page.pdf "$OUT"
    streams.pdf :: qpdf :: qpdf --object-streams=generate page.pdf "$OUT"
    manual.pdf :: groff :: printf '.TH LETTER\nHello\n' | groff -man -Tps | ps2pdf - "$OUT"
    tagged.pdf :: exiftool :: exiftool -q -Title=Letter -o "$OUT" page.pdf
    letter.pdf :: LibreOffice :: soffice --headless --convert-to pdf letter.docx && mv letter.pdf "$OUT"
    united.pdf :: Poppler :: pdfunite page.pdf page.pdf "$OUT"
    mupdf.pdf :: MuPDF :: mutool clean -z page.pdf "$OUT"
    report.pdf :: ReportLab :: /usr/bin/python3 -c 'import os; from reportlab.pdfgen.canvas import Canvas; c = Canvas(os.environ["OUT"]); c.drawString(72, 700, "Letter"); c.save()'
    pdf-lib.pdf :: pdf-lib :: node -e 'const { PDFDocument } = require("pdf-lib"); PDFDocument.create().then(async (d) => { d.addPage(); require("fs").writeFileSync(process.env.OUT, await d.save()); })'
    printed.pdf :: PJL :: ${JOINED('\\033%%-12345X@PJL JOB NAME="Letter"\\r\\n@PJL SET RESOLUTION=600\\r\\n@PJL ENTER LANGUAGE=PDF\\r\\n')}
    answer.pdf :: HTTP :: ${JOINED("HTTP/1.1 200 OK\\r\\nDate: Fri, 27 Nov 2026 04:00:00 GMT\\r\\nContent-Type: application/pdf\\r\\nContent-Disposition: attachment; filename=letter.pdf\\r\\n\\r\\n")}
    mailed.pdf :: MIME :: ${JOINED("Content-Type: application/pdf; name=letter.pdf\\r\\nContent-Transfer-Encoding: binary\\r\\n\\r\\n")}
    macbinary.pdf :: MacBinary :: { printf '\0\012letter.pdf'; head -c 53 /dev/zero; printf 'PDF CARO'; head -c 55 /dev/zero; cat page.pdf; } > "$OUT"
    marked.pdf :: UTF-8 mark :: ${JOINED("\\357\\273\\277\\r\\n")}
  `,
  ...rows(WORD)`
    letter.docx :: LibreOffice :: cp letter.docx "$OUT"
    pandoc.docx :: pandoc :: pandoc letter.md -o "$OUT"
    python.docx :: python-docx :: /usr/bin/python3 -c 'import os, docx; d = docx.Document(); d.add_paragraph("Letter"); d.save(os.environ["OUT"])'
    node.docx :: docx :: node -e 'const d = require("docx"); d.Packer.toBuffer(new d.Document({ sections: [{ children: [new d.Paragraph("Letter")] }] })).then((b) => require("fs").writeFileSync(process.env.OUT, b))'
    zip.docx :: zip :: cd letter.docx-parts && zip -q -X -r "$OUT" word _rels docProps '[Content_Types].xml'
    stored.docx :: zip :: cd letter.docx-parts && zip -q -0 -X -r "$OUT" .
    7z.docx :: 7z :: cd letter.docx-parts && 7z a -tzip "$OUT" . > /dev/null
    jar.docx :: jar :: jar --create --no-manifest --file "$OUT" -C letter.docx-parts .
    streamed.docx :: Python :: ${STREAMED("letter.docx-parts")}
    picture-first.docx :: zip :: ${PICTURE_FIRST("letter.docx-parts", "word/media")}
  `,
  ...rows(SHEET)`
    rows.xlsx :: LibreOffice :: cp rows.xlsx "$OUT"
    openpyxl.xlsx :: openpyxl :: /usr/bin/python3 -c 'import os, openpyxl; w = openpyxl.Workbook(); w.active.append(["Ann", 1]); w.save(os.environ["OUT"])'
    exceljs.xlsx :: ExcelJS :: node -e 'const w = new (require("exceljs").Workbook)(); w.addWorksheet("A").addRow(["Ann", 1]); w.xlsx.writeFile(process.env.OUT)'
    sheetjs.xlsx :: SheetJS :: ${SHEETJS("xlsx")}
    gnumeric.xlsx :: Gnumeric :: ssconvert -T Gnumeric_Excel:xlsx2 rows.csv "$OUT"
    7z.xlsx :: 7z :: cd rows.xlsx-parts && 7z a -tzip -mx=9 "$OUT" . > /dev/null
    streamed.xlsx :: Python :: ${STREAMED("rows.xlsx-parts")}
    picture-first.xlsx :: zip :: ${PICTURE_FIRST("rows.xlsx-parts", "xl/media")}
  `,
  ...rows(SLIDES)`
    slides.pptx :: pandoc :: cp slides.pptx "$OUT"
    impress.pptx :: LibreOffice :: soffice --headless --convert-to pptx slides.odp --outdir impress && mv impress/slides.pptx "$OUT"
    node.pptx :: PptxGenJS :: node -e 'const p = new (require("pptxgenjs"))(); p.addSlide().addText("Letter"); p.writeFile({ fileName: process.env.OUT })'
    streamed.pptx :: Python :: ${STREAMED("slides.pptx-parts")}
  `,
  ...rows("application/vnd.oasis.opendocument.text")`
    letter.odt :: LibreOffice :: cp letter.odt "$OUT"
    pandoc.odt :: pandoc :: pandoc letter.md -o "$OUT"
    type-last.odt :: zip :: cd letter.odt-parts && zip -q -X -r "$OUT" META-INF content.xml styles.xml meta.xml mimetype
  `,
  ...rows("application/vnd.oasis.opendocument.spreadsheet")`
    rows.ods :: LibreOffice :: cp rows.ods "$OUT"
    sheetjs.ods :: SheetJS :: ${SHEETJS("ods")}
    7z.ods :: 7z :: cd rows.ods-parts && 7z a -tzip "$OUT" . > /dev/null
  `,
  ...rows("application/vnd.oasis.opendocument.presentation")`
    slides.odp :: LibreOffice :: cp slides.odp "$OUT"
  `,
  ...rows(OLD_WORD)`
    letter.doc :: LibreOffice :: cp letter.doc "$OUT"
    new.doc :: LibreOffice :: cp letter.docx "$OUT"
    rich.doc :: LibreOffice :: cp letter.rtf "$OUT"
    page.doc :: pandoc :: pandoc -s letter.md -o page.html && mv page.html "$OUT"
    archive.doc :: Python :: python3 -c 'import os; from email.mime.multipart import MIMEMultipart as M; from email.mime.text import MIMEText as T; m = M("related"); m.attach(T(open("letter.html").read(), "html")); open(os.environ["OUT"], "w").write(m.as_string())'
    word-2003.doc :: LibreOffice :: soffice --headless '--convert-to' 'xml:MS Word 2003 XML' letter.docx && mv letter.xml "$OUT"
    plain.doc :: pandoc :: pandoc letter.md -t plain -o "$OUT"
  `,
  ...rows(OLD_SHEET)`
    rows.xls :: LibreOffice :: cp rows.xls "$OUT"
    xlwt.xls :: xlwt :: /usr/bin/python3 -c 'import os, xlwt; w = xlwt.Workbook(); w.add_sheet("A").write(0, 0, "Ann"); w.save(os.environ["OUT"])'
    gnumeric.xls :: Gnumeric :: ssconvert -T Gnumeric_Excel:excel_biff7 rows.csv "$OUT"
    excel-2.xls :: SheetJS :: ${SHEETJS("biff2")}
    excel-4.xls :: SheetJS :: ${SHEETJS("biff4")}
    new.xls :: SheetJS :: ${SHEETJS("xlsx")}
    excel-2003.xls :: SheetJS :: ${SHEETJS("xlml")}
    table.xls :: SheetJS :: ${SHEETJS("html")}
    database.xls :: SQLite :: ${'sqlite3 -html -header :memory: "select \'Müller\' as name, 12.5 as sum" > "$OUT"'}
    bank.xls :: tr :: { printf 'BMW Bank\tSaldo\r\n'; cat rows.tsv; } > "$OUT"
    unicode.xls :: iconv :: { printf '\377\376'; iconv -f utf-8 -t utf-16le rows.tsv; } > "$OUT"
  `,
  ...rows("application/vnd.ms-powerpoint")`
    slides.ppt :: LibreOffice :: node -e 'const p = new (require("pptxgenjs"))(); p.addSlide().addText("Letter"); p.writeFile({ fileName: "t.pptx" })' && soffice --headless --convert-to ppt t.pptx && mv t.ppt "$OUT"
  `,
  ...rows("application/rtf")`
    letter.rtf :: LibreOffice :: cp letter.rtf "$OUT"
    pandoc.rtf :: pandoc :: pandoc -s letter.md -o "$OUT"
  `,
  ...rows("application/zip")`
    photos.zip :: zip :: zip -q -X "$OUT" photo.jpg small.png
    7z.zip :: 7z :: 7z a -tzip -mx=9 "$OUT" small.png rows.csv > /dev/null
    encrypted.zip :: 7z :: 7z a -tzip -psecret -mem=AES256 "$OUT" rows.csv > /dev/null
    folder.zip :: jar :: jar --create --no-manifest --file "$OUT" -C rows.xlsx-parts .
    open-text.zip :: LibreOffice :: cp letter.odt "$OUT"
    empty.zip :: Python :: python3 -c 'import os, zipfile; zipfile.ZipFile(os.environ["OUT"], "w").close()'
    piped.zip :: zip :: cat photo.jpg | zip -q - - > "$OUT"
  `,
  ...rows("application/x-7z-compressed")`
    photos.7z :: 7z :: 7z a -mhe=on -psecret "$OUT" small.png > /dev/null
  `,
  ...rows("application/gzip")`
    rows.csv.gz :: gzip :: gzip -9 -n -c rows.csv > "$OUT"
    photos.tar.gz :: tar :: tar -czf "$OUT" photo.jpg small.png
  `,
  ...rows("audio/mpeg")`
    covered.mp3 :: ffmpeg :: ffmpeg -v error -i film.mkv -i photo.jpg -map 0:a -map 1 -c:a libmp3lame -b:a 32k -c:v copy -id3v2_version 3 "$OUT"
    untagged.mp3 :: LAME :: ffmpeg -v error -i film.mkv t.wav && lame --quiet -b 32 t.wav "$OUT"
    sox.mp3 :: SoX :: sox -n -r 22050 "$OUT" synth 1 sine 440
  `,
  ...rows("video/mp4")`
    film.mp4 :: ffmpeg :: ffmpeg -v error -i film.mkv -c copy "$OUT"
    streamed.mp4 :: ffmpeg :: ffmpeg -v error -i film.mkv -c copy -movflags frag_keyframe+empty_moov "$OUT"
    phone.mp4 :: ffmpeg :: ffmpeg -v error -i film.mkv -c copy -f 3gp "$OUT"
    sound.mp4 :: ffmpeg :: ffmpeg -v error -i film.mkv -vn -c copy -f ipod "$OUT"
  `,
  ...rows("video/quicktime")`
    film.mov :: ffmpeg :: ffmpeg -v error -i film.mkv -c copy "$OUT"
  `,
  ...rows("text/csv")`
    rows.csv :: printf :: cp rows.csv "$OUT"
    sqlite.csv :: SQLite :: sqlite3 -csv -header :memory: "select 'Ann' as name, 12.5 as sum" > "$OUT"
    utf-16.csv :: iconv :: iconv -f utf-8 -t utf-16 rows.csv > "$OUT"
    unmarked.csv :: iconv :: iconv -f utf-8 -t utf-16le rows.csv > "$OUT"
    windows.csv :: iconv :: iconv -f utf-8 -t cp1252 rows.csv > "$OUT"
    japanese.csv :: iconv :: ${"printf '名前,山田\\n' | iconv -f utf-8 -t iso-2022-jp > \"$OUT\""}
  `,
  ...rows("text/plain")`
    letter.txt :: pandoc :: pandoc letter.md -t plain -o "$OUT"
    certificate.txt :: OpenSSL :: openssl genpkey -algorithm ed25519 2>/dev/null | openssl pkey -pubout > "$OUT"
  `,
  ...rows("text/html")`
    letter.htm :: pandoc :: html :: pandoc -s letter.md -o t.html && mv t.html "$OUT"
    manual.html :: pod2html :: htm :: printf '=head1 Letter\n\nHello\n' | pod2html > "$OUT"
  `,
  ...rows("application/json")`
    rows.json :: SQLite :: sqlite3 -json :memory: "select 'Ann' as name" > "$OUT"
  `,
  ...rows("image/svg+xml")`
    small.svg :: Poppler :: pdftocairo -svg page.pdf "$OUT"
  `,
  ...rows("message/rfc822")`
    letter.eml :: Python :: ${'python3 -c \'import os; from email.message import EmailMessage as E; m = E(); m["Subject"] = "Letter"; m.set_content("Grüße"); m.add_attachment(open("small.jpg", "rb").read(), maintype="image", subtype="jpeg"); open(os.environ["OUT"], "wb").write(m.as_bytes())\''}
  `,
];
